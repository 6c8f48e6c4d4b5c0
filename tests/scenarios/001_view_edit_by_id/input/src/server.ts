export function connect(config) {
    const pool = createPool(config);
    let timeout = 30;
    return pool.open(timeout);
}
