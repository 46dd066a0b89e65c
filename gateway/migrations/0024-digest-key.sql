-- Digests of guessable content have a random key of their own, sealed under the master key. Keyed by the master key
-- itself, digests of equal content differed after a rotation, and the duplicates of payrolls were not found.
create table digest_keys (
  name text primary key,
  key_sealed bytea not null,
  created_at timestamptz not null
);
