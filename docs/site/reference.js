/* Renders /openapi.json. Requests can be sent from the sandbox's page alone: docs/decisions.md, "Pages of the API". */
(() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', followScheme);
  followScheme();
  const place = document.getElementById('reference');
  const canTry = place.dataset.tryIt === 'yes';
  const hidden = () => ({
    wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null },
  });
  window.SwaggerUIBundle({
    url: place.dataset.document,
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    defaultModelRendering: 'model',
    displayRequestDuration: true,
    // It would ask a server of others whether the document is valid.
    validatorUrl: null,
    supportedSubmitMethods: canTry ? ['get', 'post', 'put', 'patch', 'delete'] : [],
    plugins: canTry ? [] : [hidden],
  });
})();
