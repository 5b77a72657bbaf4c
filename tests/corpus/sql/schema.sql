-- Users of the shop.
CREATE TABLE IF NOT EXISTS shop.users (
  id BIGSERIAL PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  "display name" VARCHAR(80) DEFAULT 'x',
  team_id INT REFERENCES teams (id) ON DELETE CASCADE,
  CONSTRAINT users_email CHECK (email <> '')
);

/* Orders. */
CREATE TABLE `orders` (
  order_id INT,
  user_id BIGINT,
  total NUMERIC(10, 2),
  FOREIGN KEY (user_id) REFERENCES shop.users (id)
);

CREATE UNIQUE INDEX orders_user ON orders (user_id, total DESC);

CREATE OR REPLACE VIEW big_orders AS
SELECT o.order_id, u.email AS mail, count(*) AS n
FROM orders o
JOIN shop.users u ON u.id = o.user_id
WHERE o.total > 100
GROUP BY o.order_id;

CREATE TYPE mood AS ENUM ('sad', 'happy');

CREATE OR REPLACE FUNCTION total_of(uid BIGINT) RETURNS NUMERIC AS $$
  SELECT sum(total) FROM orders WHERE user_id = uid;
$$ LANGUAGE sql;

CREATE TRIGGER touch BEFORE UPDATE ON orders
FOR EACH ROW EXECUTE FUNCTION touch_row();

CREATE MATERIALIZED VIEW totals AS SELECT total_of(id) FROM shop.users;

ALTER TABLE orders ADD COLUMN note TEXT;
INSERT INTO orders (order_id, total) VALUES (1, 2.5);
WITH recent AS (SELECT * FROM orders) SELECT * FROM recent;
UPDATE orders SET total = total + 1 WHERE order_id = 1;
DROP TABLE old_orders;
CREATE SEQUENCE order_seq;
CREATE SCHEMA shop;
