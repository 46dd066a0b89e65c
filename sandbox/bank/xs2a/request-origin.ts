/** Reads the owner, redirect URLs and notification URL of a new resource from the call. */
import type { Xs2aCall } from './xs2a-call.ts'

/** Common columns of payments, consents and baskets. A bank that does not notify stores no URL for it. */
export function requestOriginColumns({ bank, headers }: Pick<Xs2aCall, 'bank' | 'headers'>) {
  return {
    psu_id: headers.psuId,
    corporate_id: headers.psuCorporateId,
    redirect_uri: headers.redirectUri,
    nok_redirect_uri: headers.nokRedirectUri,
    notification_uri: bank.notifies ? headers.notificationUri : null,
    notification_content: headers.notificationContent,
  }
}
