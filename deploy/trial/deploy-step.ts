/** Runs the steps of the trial one after the other, and reports what ran for real and what was only validated. */

/** One step; `how` says how much it shows. */
export type DeployStep = {
  readonly name: string
  readonly how: 'real' | 'validated'
  /** Returns what was seen. The folder is the step's own. */
  run(folder: string): Promise<string>
}

export type DeployOutcome = Pick<DeployStep, 'name' | 'how'> & {
  readonly result: 'passed' | 'FAILED' | 'not run'
  readonly seen: string
}

/** Thrown where something that a step needs cannot be had on this machine. */
export class NotRunError extends Error {}

export async function runDeployStep(step: DeployStep, folder: string): Promise<DeployOutcome> {
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

/** One line for each step. */
export function deployTable(outcomes: readonly DeployOutcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length))
  return outcomes
    .map(({ name, how, result, seen }) => `${result.padEnd(7)}  ${how.padEnd(9)}  ${name.padEnd(width)}  ${seen}`)
    .join('\n')
}
