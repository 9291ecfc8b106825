/**
 * The sign-in of a sandbox on this machine, where every visitor chooses a role without a password. No deployed stage
 * has it.
 */
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Door } from './app.ts';
import { consolePage, messagePage } from './layout.ts';
import { ownPath, signInFor } from './own-path.ts';
import { isRole, ROLES, type Role } from './roles.ts';

const ABOUT: Record<Role, string> = {
  viewer: 'reads purchases',
  operator: 'also acts on deliveries, keys and money',
  compliance: 'also reads and decides reviews',
  admin: 'may do all',
};

/**
 * The demo person of a role. Each role is another person, so that one visitor can play both the author and
 * the approver of an act.
 */
const demoAs = (role: Role) =>
  ({ id: `demo-${role}`, via: 'DEMO', principal: `console/demo-${role}` }) as const;

export const demoDoor: Door = ({ sessions, stage }) => {
  const app = new Hono();
  app.get('/sign-in', (context) =>
    context.html(
      consolePage({
        title: 'Sign in',
        frame: { stage, path: '/sign-in' },
        content: html`<h1>Sign in</h1>
<p>This is a sandbox on this machine, so there is no password. Choose a role.</p>
<form class="sign-in" method="post" action="${signInFor(context.req.query('to') ?? '')}">
<fieldset><legend>Role</legend>
${ROLES.map(
  (
    role,
    index,
  ) => html`<label><input type="radio" name="role" value="${role}" ${index === 0 ? 'checked' : ''} required>
<span><strong>${role}</strong> ${ABOUT[role]}</span></label>
`,
)}</fieldset>
<button>Sign in</button>
</form>`,
      }),
    ),
  );
  app.post('/sign-in', async (context) => {
    const { role } = await context.req.parseBody();
    if (!isRole(role))
      return context.html(
        messagePage('Not signed in', `Choose one of ${ROLES.join(', ')}.`, { stage, path: '/sign-in' }),
        400,
      );
    await sessions.begin(context, { person: demoAs(role), role });
    return context.redirect(ownPath(context.req.query('to')) ?? '/console', 303);
  });
  return app;
};
