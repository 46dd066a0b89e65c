/** Runs the steps of a trial one after the other, and reports what ran for real and what was only validated. */
import { join } from 'node:path'

/** One step; `how` says how much it shows. */
export type TrialStep = {
  readonly name: string
  readonly how: 'real' | 'validated'
  /** Returns what was seen. The folder is the step's own, and does not exist yet. */
  run(folder: string): Promise<string>
}

type TrialOutcome = Pick<TrialStep, 'name' | 'how'> & {
  readonly result: 'passed' | 'FAILED' | 'not run'
  readonly seen: string
}

/** Thrown where something that a step needs cannot be had on this machine. */
export class NotRunError extends Error {}

/** Runs the steps with these names, or all, prints a line for each, and sets the exit code. */
export async function runTrial(steps: readonly TrialStep[], names: readonly string[], folder: string): Promise<void> {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    throw new Error(`There is no step ${unknown.join(', ')}: ${steps.map(({ name }) => name).join(', ')}`)
  }
  const outcomes: TrialOutcome[] = []
  for (const step of steps.filter(({ name }) => names.length === 0 || names.includes(name))) {
    outcomes.push(await runTrialStep(step, join(folder, step.name)))
  }
  console.log(`\n${outcomeTable(outcomes)}`)
  process.exitCode = outcomes.some(({ result }) => result === 'FAILED') ? 1 : 0
}

async function runTrialStep(step: TrialStep, folder: string): Promise<TrialOutcome> {
  const { name, how } = step
  console.log(`\n${name} …`)
  try {
    const seen = await step.run(folder)
    console.log(`  ${seen}`)
    return { name, how, result: 'passed', seen }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.log(`  ${message}`)
    const seen = message.split('\n')[0] ?? ''
    return { name, how, result: error instanceof NotRunError ? 'not run' : 'FAILED', seen }
  }
}

function outcomeTable(outcomes: readonly TrialOutcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length))
  return outcomes
    .map(({ name, how, result, seen }) => `${result.padEnd(7)}  ${how.padEnd(9)}  ${name.padEnd(width)}  ${seen}`)
    .join('\n')
}
