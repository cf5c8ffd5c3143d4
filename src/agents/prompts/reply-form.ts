/** How an agent is to send its reply: as input of the tool `finish`, as one JSON object, or in words. Only one is ever asked for. */
export type ReplyForm = 'finish' | 'object' | 'words'

export const asOneObject = 'Send the reply as one JSON object, without any words around it.'
