-- Payments whose money went to an account of the provider of exchange, which is told of it; due_at until it knows.
create table sent_to_provider (
  payment_id uuid primary key references payments (id) on delete cascade,
  due_at timestamptz
);
create index sent_to_provider_due on sent_to_provider (due_at) where due_at is not null;
