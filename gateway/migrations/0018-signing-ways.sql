-- How each signature is given: on the bank's pages, or in the user's app; and whose browser came back from it.
alter table signings
  -- Who shows the user what to do: we, on a page, or the partner, who is given a code to show.
  add column shown_by text not null default 'page' check (shown_by in ('page', 'partner')),
  -- How the user would like to sign; null leaves it to the bank.
  add column preferred text check (preferred in ('redirect', 'qr')),
  -- Wall time from which the browser's way is trusted: the browser that left came back, or its user said so elsewhere.
  add column trusted_at timestamptz,
  add column trusted_by text check (trusted_by in ('return', 'confirmation')),
  -- The browser that came back in place of the one that left, and may say whose it is.
  add column confirm_hash text,
  -- Wall time at which a hint of the bank last had it asked.
  add column hinted_at timestamptz;

alter table signing_steps
  -- Null while it is not begun. The bank's address is in redirect_sealed, what the bank says to do in text_sealed.
  add column way text check (way in ('redirect', 'app', 'code', 'none')),
  add column text_sealed bytea,
  -- A code that stays the same for as long as it can be scanned.
  add column code_sealed bytea,
  -- What the connector needs when the browser comes back from the bank.
  add column return_secret_sealed bytea,
  -- What the browser brought back last; the same is handed to the bank once only.
  add column brought_hash text,
  -- Wall time until when somebody is handing it over; null once the bank has answered.
  add column brought_until timestamptz,
  -- Wall time until when somebody is having its authorisation begun at the bank; nobody else begins one meanwhile.
  add column beginning_until timestamptz,
  -- How often the bank was asked for another order, because nobody scanned the code of the one before.
  add column renewals int not null default 0,
  -- The language in which it was shown.
  add column language text;

update signing_steps set way = 'redirect' where redirect_sealed is not null;
update signing_steps set language = 'en' where left_at is not null;

-- Until now a step showed one thing, in English words: they stay as they were shown.
update signing_steps
set shown = jsonb_build_array((
  select jsonb_agg(
    jsonb_build_object(
      'label',
      case line ->> 'label' when 'Access to' then 'access' else replace(lower(line ->> 'label'), ' ', '-') end,
      'value', line ->> 'value',
      'kind', 'text')
    order by place)
  from jsonb_array_elements(shown) with ordinality as lines (line, place)))
where jsonb_typeof(shown -> 0) = 'object';
