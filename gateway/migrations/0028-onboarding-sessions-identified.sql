-- Sessions whose user has identified stay trusted when the right person identifies in another browser.
alter table onboarding_sessions
  add column identified_at timestamptz;
