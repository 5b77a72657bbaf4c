# Where the state is.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  type        = string
  description = "Where it runs."
  default     = "eu-west-1"
}

variable "sizes" { default = ["a", "b"] }

locals {
  name = "web-${var.region}"
  tags = merge(var.extra_tags, { Name = local.name })
}

data "aws_ami" "ubuntu" {
  most_recent = true
}

// The web server.
resource "aws_instance" "web" {
  ami           = data.aws_ami.ubuntu.id
  instance_type = var.sizes[0]
  count         = length(local.tags)
  subnet_id     = module.network.subnet_ids[count.index]

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      device_name = ebs_block_device.value.name
    }
  }
  depends_on = [aws_instance.other]
}

module "network" {
  source = "./modules/network"
  cidr   = "10.0.0.0/16"
  names  = [for s in var.sizes : upper(s) if s != ""]
}

output "ip" {
  value = aws_instance.web[*].public_ip
}

moved {
  from = aws_instance.old
  to   = aws_instance.web
}
