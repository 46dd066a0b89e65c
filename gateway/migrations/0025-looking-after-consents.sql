-- Looking after consents: reads without the user are counted, the bank is asked once a day, and tokens are let go at the end.
create table unattended_reads (
  partner_id uuid not null,
  consent_id uuid not null,
  -- What is read: the list of accounts, or the balance, the entries or an entry's details of one.
  kind text not null,
  -- The account; empty for the list.
  stable_id text not null,
  -- The bank's calendar day of the latest of these reads.
  read_on date not null,
  -- How many that day has seen.
  reads int not null,
  primary key (partner_id, consent_id, kind, stable_id)
);

alter table consents
  -- Business time at which the bank is asked next whether a consent in force is in force there too.
  add column look_at timestamptz,
  -- Business time of the next attempt to let the tokens of an ended consent go; null when there are none.
  add column release_at timestamptz,
  -- How often that was tried in vain.
  add column release_attempts int not null default 0;
create index consents_look on consents (bic, look_at) where look_at is not null;
create index consents_release on consents (bic, release_at) where release_at is not null;
-- Those that end soon are counted and listed for operators.
create index consents_expiring on consents (valid_until) where status = 'ACCEPTED';

update consents set look_at = updated_at where status = 'ACCEPTED';
update consents set release_at = updated_at
where status not in ('AUTHORIZATION_REQUIRED', 'ACCEPTED')
  and exists (
    select from bank_token_subjects s where s.partner_id = consents.partner_id and s.subject_id = consents.id);
