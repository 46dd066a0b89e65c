-- What changes about an account; who owns it and who may use it is the world's data.
create table accounts (
  bank text not null,
  bban text not null,
  currency text not null,
  balance_minor bigint not null,
  primary key (bank, bban)
);

create table entries (
  position bigint generated always as identity,
  id uuid primary key,
  bank text not null,
  bban text not null,
  booked_on date not null,
  booked_at timestamptz not null,
  amount_minor bigint not null,
  currency text not null,
  balance_after_minor bigint not null,
  counterparty text not null,
  counterparty_account text,
  message text,
  reference text,
  payment_id uuid,
  foreign key (bank, bban) references accounts (bank, bban)
);
create index entries_of_account on entries (bank, bban, booked_on desc, position desc);
