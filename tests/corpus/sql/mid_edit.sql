CREATE TABLE first (a INT);

CREATE TABLE second (
  b INT,
  c 

CREATE VIEW third AS SELECT a FROM first;
CREATE TABLE fourth (d INT);
