/** Shows that a rejected identity is counted at every status of a rejection, and logged once until a call is accepted. */
import { expect, test } from 'vitest'
import { sampleBank } from '../testing/samples.ts'
import { checkAnswers } from './deviation-observer.ts'

const REQUEST = { operation: 'getConsent', method: 'GET', url: 'https://bank.example', headers: {} } as const

test('every 4xx with a code of our identity counts, and an accepted call ends the alarm', async () => {
  const answers = [
    { status: 400, code: 'TIMESTAMP_INVALID' },
    { status: 400, code: 'TIMESTAMP_INVALID' },
    { status: 401, code: 'ROLE_INVALID' },
    { status: 403, code: 'CERTIFICATE_BLOCKED' },
    { status: 400, code: 'FORMAT_ERROR' },
    { status: 500, code: 'CERTIFICATE_INVALID' },
    { status: 200, code: 'NONE' },
  ]
  const [counted, logged]: [string[], string[]] = [[], []]
  const tools = {
    log: {
      error: (fields: object) => logged.push(String(Object(fields).code)),
      info: () => logged.push('accepted'),
    },
    metrics: { identityRejections: { inc: (labels: object) => counted.push(String(Object(labels).code)) } },
  }
  const fetch = checkAnswers(
    async () => {
      const { status = 0, code } = answers.shift() ?? {}
      return { status, headers: {}, body: JSON.stringify({ tppMessages: [{ code }] }) }
      // Of log and counter only these are used.
    },
    tools as unknown as Parameters<typeof checkAnswers>[1],
  )
  while (answers.length > 0) {
    await fetch(sampleBank(), REQUEST)
  }
  expect(counted).toEqual(['TIMESTAMP_INVALID', 'TIMESTAMP_INVALID', 'ROLE_INVALID', 'CERTIFICATE_BLOCKED'])
  expect(logged).toEqual(['TIMESTAMP_INVALID', 'ROLE_INVALID', 'CERTIFICATE_BLOCKED', 'accepted'])
})
