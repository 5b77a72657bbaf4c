const fastify = require('fastify')({ logger: true });
const program = require('commander');

fastify.register(require('./users'), { prefix: '/users' });
fastify.register(async (inner) => {
  inner.get('/deep', { schema }, deep);
}, { prefix: '/inner' });
fastify.route({ method: ['GET', 'HEAD'], url: '/stated', handler: stated });
fastify.route({ method: 'POST', url: '/short', handler(request) {} });

module.exports = async function (fastify, opts) {
  fastify.delete('/:id', async () => {});
};

program.command('serve <dir>').description('Serves').action(serve);
