-- Orders of many payments from one account on one day, which are signed as one, and what becomes of each payment in them.
alter table payments add column bulk_size integer;
create table bulk_elements (
  bulk_id uuid not null references payments (id) on delete cascade,
  position integer not null,
  id uuid not null unique,
  body jsonb not null,
  rail text not null,
  creditor text not null,
  creditor_name text not null,
  amount_minor bigint not null,
  message text,
  reference text,
  status text,
  status_text text,
  script_step integer not null,
  due_at timestamptz,
  primary key (bulk_id, position)
);
create index bulk_elements_due on bulk_elements (due_at) where due_at is not null;

-- How many payments an entry stands for that was booked as one line.
alter table entries add column batch_size integer;
