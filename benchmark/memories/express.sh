#!/bin/sh
# Twenty memories of expressjs/express, each pinned to the commit that made it true.
# Run inside a clone with all its history and tags; user.name and user.email must be set.
set -e
remember() { git sverklo remember "$@"; }

# --- 2.x and 3.x ---------------------------------------------------------------------------------
connect=$(remember -k decision --at 65c0d14a --core -t lib/express.js -t package.json --tag middleware \
  "Express stands on Connect: its middleware is exposed as express.* (express.bodyParser, express.logger ...)")
powered=$(remember -k fact --at 5ac631a2 -t lib/application.js --tag headers \
  "X-Powered-By: Express is sent unless app.disable('x-powered-by')")
order=$(remember -k rule --at d0585bd9 -t lib/application.js --tag middleware --tag routing \
  "Routes run where app.router is used in the middleware stack: error handlers go after app.use(app.router)")
del=$(remember -k howto --at d0585bd9 -t lib/application.js --tag routing \
  "app.del is short for app.delete: use it to register DELETE routes")
sendfile=$(remember -k fact --at ab618378 -t "lib/response.js::res.sendfile#method" --tag files \
  "res.sendfile streams files with the send module")
param=$(remember -k howto --at 99b2e0fa -t req.param --tag input \
  "req.param(name) looks in req.params, then req.body, then req.query")
host=$(remember -k fact --at 2b90cd7d -t lib/request.js --tag input \
  "req.host is the hostname only: the port is cut off the Host header")
back=$(remember -k fact --at 2f2a652b -t res.location -t lib/response.js --tag redirect \
  "The url 'back' is an alias of the Referrer header, or / without one, in res.location and res.redirect")

# --- 4.x -----------------------------------------------------------------------------------------
order4=$(remember -k rule --at f41d09a3 --core --supersedes "$order" -t lib/application.js -t lib/router/index.js --tag middleware --tag routing \
  "Middleware and routes run in the order in which they were added; app.router is gone. Error handlers go last")
unbundle=$(remember -k decision --at 1396e085 --core --supersedes "$connect" -t lib/express.js -t package.json --tag middleware \
  "Express no longer depends on Connect: but for static and query, middleware comes in modules of its own")
node=$(remember -k fact --at c0545813 -t package.json --tag platform \
  "Node.js 0.10 is the oldest supported version")
etag=$(remember -k preference --at c21226aa -t lib/utils.js -t app.defaultConfiguration --tag headers \
  "Weak ETags by default: strong ones only with app.set('etag', 'strong')")
depd=$(remember -k rule --at 9c731f18 -t lib/response.js -t lib/application.js --tag api \
  "What a major version will take away is deprecated first, with a depd message that names the replacement")
qs=$(remember -k decision --at e29fa25b -t lib/application.js --tag input --tag security \
  "'query parser' is 'extended' by default: query strings may hold nested objects (qs)")
sendfile4=$(remember -k todo --at 8449f23f --supersedes "$sendfile" -t "lib/response.js::res.sendfile#method" --tag files --tag api \
  "res.sendfile is deprecated for res.sendFile: take it out in 5.0")
bodies=$(remember -k correction --at c0136d8b --core --supersedes "$unbundle" -t lib/express.js --tag middleware \
  "Body parsers are bundled again, express.json and express.urlencoded (from body-parser); Connect stays out")
security=$(remember -k rule --at 42b94429 --core -t Security.md --tag security \
  "Report security bugs by mail, to the address in Security.md")

# --- 5.x -----------------------------------------------------------------------------------------
git sverklo memory end "$sendfile4" --at 0fc4f073 -m "res.sendfile was removed" >/dev/null
git sverklo memory end "$del" --at f31dcff1 -m "app.del was removed: use app.delete" >/dev/null
git sverklo memory edit "$host" --at 085a2968 -t lib/request.js \
  "req.host is host and port as in the Host header; req.hostname is the name alone" >/dev/null
git sverklo memory end "$param" --at 21d52daa -m "req.param() was removed: say which of params, body and query is meant" >/dev/null
router=$(remember -k decision --at cec5780d -t lib/application.js -t package.json --tag routing \
  "Routing lives in the router module: mend routing there, not here")
simple=$(remember -k decision --at 450c468d --supersedes "$qs" -t app.defaultConfiguration --tag input --tag security \
  "'query parser' is 'simple' by default: no nested objects in query strings unless asked for")
git sverklo memory edit "$node" --at f6db4ee8 "Node.js 4 is the oldest supported version" >/dev/null
status=$(remember -k rule --at 723b5451 -t res.status --tag api \
  "res.status throws unless it is given an integer from 100 to 999")
git sverklo memory edit "$node" --at 160b91cb "Node.js 18 is the oldest supported version" >/dev/null
git sverklo memory end "$back" --at bdd81f86 -m "no magic string any more: use req.get('Referrer') || '/'" >/dev/null
git sverklo memory end "$depd" --at 256a3d15 -m "nothing used depd any more" >/dev/null
