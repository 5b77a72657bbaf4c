pub fn first() void {}

pub fn second(x: u32) u32 {
    if (x > 
    return first(

pub fn third() void {
    second(1);
}
