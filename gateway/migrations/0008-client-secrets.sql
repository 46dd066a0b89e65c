-- While a client's secret is rotated, the former one is valid, too. Tokens name the number of their secret.
alter table clients
  add column secret_number integer not null default 1,
  add column secret_rotated_at timestamptz,
  add column former_secret_hash text,
  -- Wall time.
  add column former_secret_ends_at timestamptz;
