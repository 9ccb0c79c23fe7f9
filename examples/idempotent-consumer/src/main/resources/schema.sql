-- No unique key of the event: that a payment is booked once is the inbox's to see to.
CREATE TABLE IF NOT EXISTS payments (
  id       BIGINT AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT NOT NULL,
  cents    INT NOT NULL
);
