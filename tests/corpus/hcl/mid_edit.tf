variable "a" {
  default = 1
}

resource "x_y" "z" {
  name = var.

output "b" {
  value = var.a
}
