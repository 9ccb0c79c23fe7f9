CREATE TABLE IF NOT EXISTS customers (
  id         INT            NOT NULL PRIMARY KEY,
  orders     INT            NOT NULL COMMENT 'how many they have placed'
) ENGINE=InnoDB;

CREATE TABLE IF NOT EXISTS orders (
  id          BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id INT           NOT NULL,
  seq         INT           NOT NULL COMMENT 'which of the customer''s orders it is',
  amount      DECIMAL(10,2) NOT NULL,
  created_at  DATETIME(6)   NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
) ENGINE=InnoDB;

-- No unique key on order_id: it would prevent a second shipment of an order, which is to be counted.
CREATE TABLE IF NOT EXISTS shipments (
  id          BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id    BIGINT        NOT NULL,
  node        INT           NOT NULL COMMENT 'the node of the queue that shipped it',
  attempt     INT           NOT NULL COMMENT 'in which attempt',
  created_at  DATETIME(6)   NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  KEY (order_id)
) ENGINE=InnoDB;
