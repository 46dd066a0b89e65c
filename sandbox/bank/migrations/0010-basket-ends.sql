-- Until when a basket waits for its first signature.
alter table baskets add column due_at timestamptz;
create index baskets_due on baskets (due_at) where due_at is not null;
