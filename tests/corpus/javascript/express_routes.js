const express = require('express');
const users = require('./users');

const PREFIX = '/api';
const app = express();
const router = express.Router({ mergeParams: true });

app.set('view engine', 'pug');
app.get('env');
app.get('/', (req, res) => res.send('hi'));
app.post(PREFIX + '/login', auth, login);
router.route('/items/:id').get(users.show).delete(auth, users.drop.bind(users));
router.get(`/files/${kind}/*`, asyncHandler(download));
router.all(['/a', '/b'], both);
app.use('/v1', auth, router);
app.use(PREFIX, require('./admin'));
users(app);

const modules = [
  { path: '/auth', route: authRoutes },
  { path: '/docs', route: docRoutes },
];
modules.forEach((of) => {
  router.use(of.path, of.route);
});

module.exports = function (app) {
  app.put('/late', users.late);
};

function login(req, res) {}
function both() {}
axios.get('/not/a/route', { headers: {} });
