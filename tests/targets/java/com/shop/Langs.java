package com.shop;

public class Langs {
    public int Go() { return 1; }
    public int H() { return 2; }
    public int Vue() { return 3; }
    public int Zig() { return 4; }
    public int Lua() { return 5; }
    public int Swift() { return Go() + H(); }
}
