/** Measures how long a program, before which it is loaded, blocks its event loop between two messages of its parent. */
import { setTimeout } from 'node:timers/promises'

/**
 * CPU time does not depend on the load of the machine, nor do units on its speed: a unit is what the program needs to
 * parse and serialise 83 kB of JSON. CPU time is reported in steps of some milliseconds.
 */
const UNITS_MEASURED = 50
const UNIT_TEXT = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => ({ name: `Kari ${n}`, amount: '123.45', n })))

/**
 * A task that takes longer ends with the iteration in which this timer is due, so its time is that of few others. Looking
 * in each iteration would take a processor of the machine for as long as a request takes.
 */
const LOOK_EVERY_MILLISECONDS = 2

let isMeasuring = false
let longestMilliseconds = 0
let unit: number | undefined

process.on('message', (message) => {
  if (message === 'begin') {
    isMeasuring = true
    longestMilliseconds = 0
    void measure()
  } else {
    isMeasuring = false
  }
})

/** The end is noticed in the iteration after that of its message, so no iteration is left out. */
async function measure(): Promise<void> {
  unit ??= unitMilliseconds()
  process.send?.('begun')
  let before = threadMilliseconds()
  while (isMeasuring) {
    await setTimeout(LOOK_EVERY_MILLISECONDS)
    const now = threadMilliseconds()
    longestMilliseconds = Math.max(longestMilliseconds, now - before)
    before = now
  }
  process.send?.(longestMilliseconds / unit)
}

/** The first round warms up. */
function unitMilliseconds(): number {
  const [, milliseconds = 0] = [1, 2].map(() => {
    const before = threadMilliseconds()
    for (let count = 0; count < UNITS_MEASURED; count += 1) {
      JSON.stringify(JSON.parse(UNIT_TEXT))
    }
    return (threadMilliseconds() - before) / UNITS_MEASURED
  })
  return milliseconds
}

function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
