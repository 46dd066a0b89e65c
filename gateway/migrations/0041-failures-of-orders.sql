-- How a bank answers initiations, apart from all other calls: one that takes no orders is still asked about those it holds.

alter table banks add column order_failures integer not null default 0;
alter table banks add column orders_failing_since timestamptz;
