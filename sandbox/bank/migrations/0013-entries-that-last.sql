-- What an entry is known by from before it is booked: the payment, or the entry that was expected. And what batches are made of.
alter table entries add column lasting_id uuid;
update entries set lasting_id = coalesce(payment_id, id);
alter table entries alter column lasting_id set not null;
alter table entries add column value_on date;
update entries set value_on = booked_on;
alter table entries alter column value_on set not null;
alter table entries add column parts jsonb;
create index entries_by_lasting_id on entries (bank, bban, lasting_id);

-- Money on its way that is no payment of this bank's: it is booked when it is due.
create table pending_entries (
  position bigint generated always as identity,
  id uuid primary key,
  bank text not null,
  bban text not null,
  value_on date not null,
  amount_minor bigint not null,
  currency text not null,
  counterparty text not null,
  counterparty_account text,
  message text,
  reference text,
  end_to_end_id text,
  parts jsonb,
  due_at timestamptz not null,
  foreign key (bank, bban) references accounts (bank, bban)
);
create index pending_entries_of_account on pending_entries (bank, bban, position);
create index pending_entries_due on pending_entries (due_at);
