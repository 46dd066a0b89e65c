-- Whether a client has ever been used, for the first steps of a developer.
alter table clients
  -- Wall time.
  add column first_token_at timestamptz;
