package com.shop;

public class Main {
    public static void main(String[] args) {
        Depot depot = new Depot(3);
        System.out.println(depot.capacity());
    }
}
