/** Tracks reports that are being prepared: the first download attempt is always too early. */

/** Reports in preparation; lost on restart, after which they are prepared again. */
export type ReportDownloads = {
  /** Whether the report is ready; the first call starts its preparation. */
  isReady(link: string): boolean
}

/** Above this number all are prepared again. */
const REPORTS_MAX = 1_000

export function openReportDownloads(): ReportDownloads {
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
