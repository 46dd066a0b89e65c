/** Keeps in mind which reports are being made: the first look at one is always too early. */

/** Reports in the making; forgotten with the process, and then made anew. */
export type Downloads = {
  /** Whether the report is ready; asking has it made. */
  isReady(link: string): boolean
}

/** So many are kept in mind; who asks for more has all of them made anew. */
const REPORTS_MAX = 1_000

export function openDownloads(): Downloads {
  const begun = new Set<string>()
  return {
    isReady: (link) => {
      if (begun.delete(link)) {
        return true
      }
      if (begun.size >= REPORTS_MAX) {
        begun.clear()
      }
      begun.add(link)
      return false
    },
  }
}
