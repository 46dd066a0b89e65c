-- Payments that are signed together.
create table baskets (
  position bigint generated always as identity,
  id uuid primary key,
  bank text not null,
  status text not null,
  psu_id text,
  corporate_id text,
  redirect_uri text,
  nok_redirect_uri text,
  notification_uri text,
  notification_content text,
  created_at timestamptz not null
);
alter table payments add column basket_id uuid references baskets (id);
create index payments_of_basket on payments (basket_id) where basket_id is not null;
alter table authorisations
  drop constraint authorisations_subject_check,
  add constraint authorisations_subject_check check (subject in ('payment', 'cancellation', 'consent', 'basket'));
