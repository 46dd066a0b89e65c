-- Whoever ends tokens first asks whether another consent of the same user at the same bank still needs them.
create index consents_awaiting on consents (bic)
  where status = 'AUTHORIZATION_REQUIRED';

-- What was counted on days that are over is forgotten.
create index unattended_reads_retention on unattended_reads (read_on);
