/** Renders the tables of error triggers, and of codes without one, for the sandbox guide. */

import { scriptedUsers } from '../authorisations/scripted-users.ts'
import { codesWithoutTrigger, errorTriggers, type Trigger } from '../outcomes/error-triggers.ts'
import { table } from './markdown-table.ts'

export function errorTriggerTable(): string {
  const rows = errorTriggers.map(({ operation, status, code, trigger }) => [
    `\`${operation}\``,
    `\`${status}\` \`${code}\``,
    triggerText(trigger),
  ])
  return table(['Operation', 'Error', 'How to get it'], rows)
}

export function codesWithoutTriggerTable(): string {
  const rows = codesWithoutTrigger.map(({ operations, codes, reason }) => [
    operations.map(quoted).join(', '),
    codes.map(quoted).join(', '),
    reason,
  ])
  return table(['Operation', 'Codes', 'Reason'], rows)
}

function triggerText(trigger: Trigger): string {
  switch (trigger.by) {
    case 'amount':
      return `amount \`${trigger.amount}.00\``
    case 'revoked-consent':
      return `the consent of ${revoker()}, an hour after it was given`
    case 'consent-at-another-bank':
      return 'a consent at another bank'
    case 'unknown-account':
      return 'an account id that is not on the consent'
    case 'fault':
      return `\`POST /control/faults\` for \`${trigger.operation}\` with \`"status": ${trigger.status}, "code": "${trigger.code}"\``
    case 'field':
      return `\`${trigger.path}\` is \`${trigger.value}\`, in a payment in EUR to Germany`
    case 'broken-json':
      return 'a body that is not JSON'
    case 'exchange-ahead':
      return `\`${trigger.amount}\` ${trigger.currency} ${trigger.currency === 'INR' ? 'to India ' : ''}from an account in kroner, due on the next bank day`
    case 'hour-of-exchange':
      return `the clock at \`${trigger.time}\` UTC on a bank day, and a payment in USD from an account in kroner due ${trigger.due}`
    case 'saturday-of-exchange':
      return 'the clock on a Saturday, and a payment in USD from an account in kroner'
    case 'cancelled-subscription':
      return 'the company after `cancelSubscription`'
    case 'existing-company':
      return 'a demo company'
    case 'onboarded-company':
      return `the company \`${trigger.organizationNumber}\` once it is onboarded, with a consent of \`${trigger.userId}\``
  }
}

function revoker(): string {
  return scriptedUsers.find(({ consentEnds }) => consentEnds?.status === 'revokedByPsu')?.name ?? ''
}

function quoted(name: string): string {
  return `\`${name}\``
}
