const Router = require('./router');
const req = require('./request');

class App {
  constructor() {
    this.router = new Router();
  }

  handle(path) {
    return this.router.handle(path);
  }
}

function start(path) {
  const router = new Router();
  router.handle(path);
  app.get(path);
  app.get('/');
  return req.get(path);
}

module.exports = { App, start };
