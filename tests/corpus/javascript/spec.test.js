const assert = require('assert');
describe('Router', function () {
  const shared = make();
  function helper() {}
  describe('.get()', () => {
    it('returns 404', async () => { assert.equal(shared.get('/').status, 404); });
    it.skip("is slow", done => done());
  });
  test(`template ${title}`, () => { getattr('name'); });
});
