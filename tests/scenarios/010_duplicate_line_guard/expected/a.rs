fn double(x: i32) {
    x + x
}
fn triple(x: i32) {
    x * 3
}
