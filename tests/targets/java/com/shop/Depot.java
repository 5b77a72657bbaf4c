package com.shop;

public class Depot {
    private int size;

    public Depot(int size) {
        this.size = size;
    }

    public int capacity() {
        return size * 2;
    }

    public static class Row {
        public String label() {
            return "row";
        }
    }
}
