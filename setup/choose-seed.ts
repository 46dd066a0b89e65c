/** Chooses the seed of all property tests of a run, so that the run can be repeated. */
import { execFileSync } from 'node:child_process'

/** Hexadecimal digits of a commit hash that make a seed of 28 bits. */
const DIGITS = 7

/**
 * The value of `HAVN_SEED`. In CI, derived from the commit: the same commit uses the same seed on every machine, and
 * the next one another. Otherwise random.
 */
export function chooseSeed(environment: NodeJS.ProcessEnv, root: string): string {
  const commit = environment['CI'] === undefined ? undefined : commitOf(root)
  return environment['HAVN_SEED'] ?? String(commit ?? Math.floor(Math.random() * 16 ** DIGITS))
}

/** Undefined outside of a repository. */
function commitOf(root: string): number | undefined {
  try {
    const name = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(name.toString().slice(0, DIGITS), 16)
  } catch {
    return undefined
  }
}
