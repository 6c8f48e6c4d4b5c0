fn double(x: i32) {
    x * 2
}
fn triple(x: i32) {
    x * 3
}
