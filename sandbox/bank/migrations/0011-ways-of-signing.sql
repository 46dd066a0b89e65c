-- Signing in the user's own app, codes that the app reads, and codes that the third party brings back.
alter table authorisations
  alter column redirect_uri drop not null,
  add column approach text not null default 'redirect' check (approach in ('redirect', 'app', 'embedded')),
  -- The browser's link, where the third party may ask for it again.
  add column link_token text,
  add column code_form text check (code_form in ('image', 'image-link', 'start-token')),
  add column code_token uuid,
  add column code_secret text,
  -- Wall time: when the code was first shown, and when nobody may scan it any more; null once somebody has.
  add column code_begun_at timestamptz,
  add column code_lapses_at timestamptz,
  -- What the browser takes back to the third party, which has to bring it here.
  add column confirmation_code text,
  add column confirmation_failures int not null default 0;
create index authorisations_by_code on authorisations (code_token) where code_token is not null;
create index authorisations_lapsing on authorisations (code_lapses_at) where code_lapses_at is not null;
create index authorisations_in_apps on authorisations (position) where approach = 'app' and outcome is null;
