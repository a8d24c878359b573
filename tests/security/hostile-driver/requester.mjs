// A driver that sends the HTTP requests it is given and returns the result of each: its status, or the code of the refusal.

export const driver = {
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: {
    id: 'fixture',
    async connect(settings, context) {
      const outcome = async (request) => {
        if (request.show === 'origins') return JSON.stringify(context.http.origins);
        try {
          const answer = await context.http.request(request);
          const text = await answer.text();
          return [answer.status, answer.headers['location'] ?? '', text].join(' ').trim();
        } catch (error) {
          return error.code ?? String(error);
        }
      };
      return {
        server: { product: 'Requester' },
        findings: [],
        async ping() {},
        async listTables() {
          const outcomes = await Promise.all(JSON.parse(settings.host).map(outcome));
          return outcomes.map((name) => ({ ref: { namespace: [], name }, kind: 'table' }));
        },
        async describeTable(ref) {
          return { ref, kind: 'table', columns: [], key: [], paging: 'offset', readsFromEnd: false, notes: [] };
        },
        // Starts a large answer and reads none of it.
        async readPage(_request, { signal }) {
          const answer = await context.http.request({ method: 'GET', path: '/large', signal });
          await new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          await answer.discard();
        },
        async countRows() {
          return { rows: 0, exact: true };
        },
        async close() {},
      };
    },
  },
};
