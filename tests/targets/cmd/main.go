package main

import "example.com/shop/web"

func main() {
	engine := web.New()
	engine.Run()
}
