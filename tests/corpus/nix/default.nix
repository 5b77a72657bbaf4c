# The shop, as a package.
{ pkgs ? import <nixpkgs> { }
, lib
, stdenv
, withDocs ? true
, ...
}@args:

let
  # Which release.
  version = "1.2.${toString patch}";
  patch = 3;
  inherit (lib) licenses mkIf;
  inherit (pkgs.python3Packages) buildPythonApplication;

  # Names one wheel.
  wheelName = name: ver: "${name}-${ver}.whl";

  common = import ./common.nix { inherit pkgs lib; };
  tools = pkgs.callPackage ./tools { inherit version; };
in
rec {
  pname = "shop";

  # Builds it.
  shop = buildPythonApplication {
    inherit pname version;
    src = ./.;
    buildInputs = with pkgs; [ openssl tools.linter ];
    doCheck = !stdenv.isDarwin;
    installPhase = ''
      mkdir -p $out
      cp ${wheelName pname version} $out
    '';
    meta = {
      description = "A shop";
      license = licenses.mit;
    };
  };

  docs = if withDocs then common.mkDocs { src = ./docs; } else null;

  mkShop = { name, port ? 8000 }: stdenv.mkDerivation {
    inherit name;
    passthru.port = port;
  };

  services.shop.enable = true;
  "quoted name" = args.extra or [ ];
  cmp = a: b: assert a != b; if a < b then -1 else 1;
}
