-- Signatures that users gave in the bank's own netbank, of which third parties see nothing but their effect.
create table netbank_signatures (
  payment_id uuid not null references payments (id) on delete cascade,
  signer_id text not null,
  signed_at timestamptz not null,
  primary key (payment_id, signer_id, signed_at)
);
