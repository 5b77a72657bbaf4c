//! A list of items.
const std = @import("std");
const Allocator = std.mem.Allocator;
const helper = @import("helper.zig");
pub const VERSION = "1.0";
pub var counter: usize = 0;
threadlocal var scratch: [16]u8 = undefined;

/// What may go wrong.
pub const Error = error{ OutOfMemory, Full };

pub const Kind = enum(u8) {
    small,
    large = 2,

    pub fn isLarge(self: Kind) bool {
        return self == .large;
    }
};

const Value = union(enum) {
    int: i64,
    text: []const u8,
};

/// A list.
pub fn List(comptime T: type) type {
    return struct {
        const Self = @This();

        items: []T,
        allocator: Allocator,
        limit: usize = 10,

        pub fn init(allocator: Allocator) Self {
            return Self{ .items = &[_]T{}, .allocator = allocator };
        }

        pub fn push(self: *Self, item: T) Error!void {
            if (self.items.len >= self.limit) return error.Full;
            const grown = try self.allocator.realloc(self.items, self.items.len + 1);
            grown[self.items.len] = item;
            for (grown, 0..) |value, index| {
                std.debug.print("{d} {any}\n", .{ index, value });
            }
            self.items = grown;
        }
    };
}

pub const Point = struct {
    x: f32,
    y: f32 = 0,

    pub const origin = Point{ .x = 0, .y = 0 };

    fn length(self: Point) f32 {
        var sum: f32 = 0;
        while (sum < 1) : (sum += 1) {}
        const point = Point{ .x = 1 };
        _ = point.x;
        return @sqrt(self.x * self.x + helper.square(self.y));
    }
};

extern fn c_call(x: c_int) c_int;
export fn exported() void {}
inline fn fast() void {}

fn divide(a: u32, b: u32) !u32 {
    const result = compute(a) catch |err| switch (err) {
        error.Full => return err,
        else => 0,
    };
    if (maybe()) |found| use(found) else {}
    defer cleanup();
    return result / b;
}

test "push" {
    var list = List(u8).init(std.testing.allocator);
    try list.push(1);
}

test divide {
    _ = try divide(1, 2);
}

usingnamespace @import("more.zig");
