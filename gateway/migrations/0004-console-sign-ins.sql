-- Sign-ins to the console that wait for a browser to come back: nobody is known yet, so they belong to no partner.
create table console_sign_ins (
  -- SHA-256 of what comes back with the browser.
  state_hash text not null,
  -- SHA-256 of the cookie of the browser that began.
  token_hash text not null,
  -- What the answer is verified against, where the browser goes afterwards, and a form that its ended session interrupted.
  content_sealed bytea not null,
  -- Wall time.
  created_at timestamptz not null,
  constraint console_sign_ins_pkey primary key (state_hash)
);
create index console_sign_ins_created on console_sign_ins (created_at);
