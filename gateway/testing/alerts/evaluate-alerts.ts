/** Has promtool evaluate the alert rules over series. */
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { END_MINUTES, START_MINUTES } from './scraped-metrics.ts'

const MONITORING = new URL('../../../deploy/monitoring/', import.meta.url)
const RULES = fileURLToPath(new URL('havn-alerts.yml', MONITORING))
const run = promisify(execFile)

type Series = readonly { readonly series: string; readonly values: string }[]

/** Checks rules and configuration. Throws with promtool's output. */
export async function checkRules(): Promise<string> {
  const outputs = [
    await run('promtool', ['check', 'rules', RULES]),
    await run('promtool', ['check', 'config', fileURLToPath(new URL('prometheus.yml', MONITORING))]),
  ]
  return outputs.map(({ stdout }) => stdout).join('')
}

/** Whether an alert is silent before the cause, and fires during it. */
export async function firesIn(
  alert: string,
  series: Series,
): Promise<{ silent: boolean; fired: boolean; output: string }> {
  const count = `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`
  const fires = (minutes: number, firing: boolean) => ({
    expr: `(${count}) > bool 0`,
    eval_time: `${minutes}m`,
    exp_samples: [{ labels: '{}', value: Number(firing) }],
  })
  const silent = await evaluate(series, [fires(START_MINUTES, false)])
  const fired = await eachMinute(series, fires)
  return { silent: silent === '', fired: fired === '', output: `${silent}${fired}` }
}

/** An alert of a rate may end before the series does: it has to fire at one of these times. */
async function eachMinute(series: Series, fires: (minutes: number, firing: boolean) => object): Promise<string> {
  let output = ''
  for (const minutes of [START_MINUTES + 3, START_MINUTES + 20, END_MINUTES - 1]) {
    output = await evaluate(series, [fires(minutes, true)])
    if (output === '') {
      return ''
    }
  }
  return output
}

/** Promtool's output; empty where every expectation holds. */
async function evaluate(series: Series, expectations: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-alerts-'))
  try {
    await copyFile(RULES, join(folder, 'rules.yml'))
    const test = { interval: '1m', input_series: series, promql_expr_test: expectations }
    const file = join(folder, 'test.yml')
    await writeFile(file, stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests: [test] }))
    return await run('promtool', ['test', 'rules', file]).then(
      () => '',
      (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
