-- A session of a user with a passkey ends with that passkey, and has the roles that the user has now. Sessions that began
-- before have neither, and end. The roles of a provider's user are looked up again; those of older rows were read when the
-- session began.
alter table console_sessions
  add column user_id uuid,
  add column passkey_id text,
  add column roles_read_at timestamptz;
