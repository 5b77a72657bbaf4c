{ config, lib, pkgs, ... }:

with lib;

let
  cfg = config.services.shop;
in
{
  imports = [ ./hardware.nix ../common ];

  options.services.shop = {
    enable = mkEnableOption "the shop";
    port = mkOption {
      type = types.port;
      default = 8000;
    };
  };

  config = mkIf cfg.enable {
    systemd.services.shop.script = "${pkgs.hello}/bin/hello --port ${toString cfg.port}";
  };
}
