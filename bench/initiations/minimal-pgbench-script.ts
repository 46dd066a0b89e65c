/** Writes the least that an initiation could cost the database as a pgbench script: one insert of a payment with its history, and one more. */
import { newId } from '../../gateway/platform/ids.ts'
import { COUNTED_ID } from './initiation-pgbench-script.ts'

/** Tables of their own, with a key and nothing else that would have to be kept up. */
export const MINIMAL_TABLES = `
  drop schema if exists minimal cascade;
  create schema minimal;
  create table minimal.payments (partner_id uuid, id uuid, status text not null, ordered text not null,
    created_at timestamptz not null, primary key (partner_id, id));
  create table minimal.history (partner_id uuid, payment_id uuid, id uuid, status text not null, at timestamptz not null,
    primary key (partner_id, payment_id, id));
  create table minimal.answers (partner_id uuid, id uuid, answer text not null, at timestamptz not null,
    primary key (partner_id, id));`

/** As long as an order and an answer of the gateway's. */
const ORDERED = 'o'.repeat(600)
const ANSWER = 'a'.repeat(350)
const AT = `'20261125T080000Z'`

/** The script: one run of it is two statements, each a transaction. */
export function minimalScript(): string {
  const partner = `'${newId()}'`
  const id = `(${COUNTED_ID})::uuid`
  return [
    '\\set count :count + 1',
    `with payment as (insert into minimal.payments values (${partner}, ${id}, 'Unsigned', '${ORDERED}', ${AT}) returning *)
     insert into minimal.history select partner_id, id, id, status, created_at from payment;`,
    `insert into minimal.answers values (${partner}, ${id}, '${ANSWER}', ${AT});`,
    '',
  ].join('\n')
}
