/** `havn webhook-test`: tries a partner's endpoint with right and wrong deliveries, and reports what it must change. */

import type { Command } from 'commander'
import { CommandError } from '../../command-error.ts'
import { developerCommand } from '../../command-options.ts'
import type { Context } from '../../context.ts'
import {
  ANSWER_MILLISECONDS_MAX,
  endpointUrl,
  networkErrorText,
  type PostedDelivery,
  postDelivery,
} from '../post-delivery.ts'
import { RECEIVER_TRIALS, type ReceiverTrial, ROTATION_TRIAL, type TrialSecrets } from './receiver-trials.ts'

export type WebhookTestOptions = { readonly secret?: string; readonly newSecret?: string }

const SECRET_VARIABLE = 'HAVN_WEBHOOK_SECRET'
const [OK, REDIRECT] = [200, 300]

type Answer = { readonly status: number } | { readonly error: string }
type Outcome = {
  readonly name: string
  readonly title: string
  readonly passed: boolean
  readonly found: string
  readonly advice?: string
}

export async function webhookTest(context: Context, url: string, options: WebhookTestOptions): Promise<void> {
  const { output, environment } = context
  const target = endpointUrl(url, 'The endpoint')
  const secret = options.secret ?? environment[SECRET_VARIABLE] ?? ''
  if (secret === '') {
    throw new CommandError(
      'invalid',
      `The signing secret that the endpoint verifies with is missing: --secret or ${SECRET_VARIABLE}`,
      {
        next: `havn webhook-test ${url} --secret any-text-that-the-endpoint-has`,
      },
    )
  }
  const secrets = { secret, newSecret: options.newSecret }
  const trials = [...RECEIVER_TRIALS, ...(options.newSecret === undefined ? [] : [ROTATION_TRIAL])]
  const failed: string[] = []
  for (const trial of trials) {
    output.progress(`${trial.title} …`)
    const outcome = await carryOut(target, trial, secrets)
    output.result(outcome, textOf(outcome))
    if (!outcome.passed) {
      failed.push(trial.name)
    }
    if (trial === trials[0] && !outcome.passed) {
      throw new CommandError(
        'unsuccessful',
        'The endpoint does not accept a valid delivery, so nothing else was tried',
        {
          next: 'check the URL, that the endpoint runs, and that its secret is this one',
          details: { failed },
        },
      )
    }
  }
  if (failed.length > 0) {
    throw new CommandError('unsuccessful', `${failed.length} of ${trials.length} trials failed`, {
      details: { failed },
    })
  }
  output.note(`The endpoint passed all ${trials.length} trials`)
}

async function carryOut(target: URL, trial: ReceiverTrial, secrets: TrialSecrets): Promise<Outcome> {
  const { name, title, expected, advice, together } = trial
  const deliveries = trial.deliveries(secrets)
  const answers: Answer[] = []
  if (together === true) {
    answers.push(...(await Promise.all(deliveries.map((delivery) => send(target, delivery)))))
  } else {
    for (const delivery of deliveries) {
      answers.push(await send(target, delivery))
    }
  }
  const wrong = answers.find((answer) => !isExpected(answer, expected))
  const shown = wrong ?? answers[0]
  const found = shown === undefined ? 'nothing was sent' : 'error' in shown ? shown.error : `answered ${shown.status}`
  return { name, title, passed: wrong === undefined, found, ...(wrong === undefined ? {} : { advice }) }
}

/** A rejection is an answer: an endpoint that breaks is not one that rejects. */
function isExpected(answer: Answer, expected: ReceiverTrial['expected']): boolean {
  if ('error' in answer) {
    return false
  }
  const { status } = answer
  return expected === 'accepted' ? status >= OK && status < REDIRECT : status >= 400 && status < 500
}

async function send(target: URL, delivery: PostedDelivery): Promise<Answer> {
  try {
    return { status: await postDelivery(target, delivery) }
  } catch (error) {
    const late = `no answer within ${ANSWER_MILLISECONDS_MAX / 1_000} seconds`
    return { error: Object(error).name === 'TimeoutError' ? late : `not received: ${networkErrorText(error)}` }
  }
}

function textOf({ title, passed, found, advice }: Outcome): string {
  return passed ? `passed  ${title}` : `FAILED  ${title}: ${found}\n        ${advice}`
}

export function declareWebhookTest(command: Command): void {
  developerCommand(command, webhookTest, [
    'havn webhook-test http://localhost:3000/webhooks --secret test',
    ['NODE_EXTRA_CA_CERTS=ca.pem havn webhook-test https://localhost/hooks --secret test', 'a CA of your own'],
  ])
    .argument('<url>', 'the endpoint')
    .option('--secret <secret>', 'the signing secret that it verifies with; by default that of HAVN_WEBHOOK_SECRET')
    .option('--new-secret <secret>', 'a second one that it must accept, too, as while a secret is rotated')
}
