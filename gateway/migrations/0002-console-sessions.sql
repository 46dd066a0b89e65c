-- Sessions of the console. They belong to users, not to partners' data: a session is found by its token before it is
-- known whose it is.
create table console_sessions (
  id uuid not null,
  token_hash text not null,
  -- The user at whatever authenticated them.
  subject text not null,
  name text not null,
  -- Null for operators.
  partner_id uuid,
  roles text[] not null,
  user_agent text not null,
  -- Wall time.
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  constraint console_sessions_pkey primary key (id),
  constraint console_sessions_token unique (token_hash)
);
create index console_sessions_subject on console_sessions (subject, created_at);
