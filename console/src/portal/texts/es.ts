import type { PortalTexts } from './texts.ts'

/** The portal in Spanish. */
export const es: PortalTexts = {
  title: (product) => `Conectar su directorio con ${product}`,
  lead: (product) =>
    `Sus usuarios y grupos se envían después automáticamente a ${product}: quienes se incorporan obtienen acceso y quienes se van lo pierden.`,
  validUntil: (date) => `Este enlace es válido hasta el ${date}.`,
  loading: 'Cargando…',
  retry: 'Reintentar',
  failed: 'No se ha podido cargar.',
  offline: 'No tiene conexión. Lo que ve puede estar desactualizado.',
  waiting: 'Todavía se espera una respuesta…',
  unreachable: 'No se puede acceder al servicio. Se sigue intentando…',
  back: (product) => `Volver a ${product}`,
  toSetup: 'Volver a la configuración',
  notices: {
    'link-gone': {
      title: 'Este enlace no funciona',
      text: 'Ha caducado, se ha revocado o ya se ha utilizado, o está incompleto. Solicite uno nuevo a la persona que se lo envió.',
    },
    'google-connected': {
      title: 'Google Workspace está conectado',
      text: 'Ha empezado la primera sincronización de sus usuarios y grupos. Puede cerrar esta página.',
    },
    'google-pending': {
      title: 'A la espera de aprobación',
      text: 'La cuenta utilizada no se ha podido asociar con el Google Workspace esperado. Nada cambia hasta que lo apruebe la persona que le envió el enlace.',
    },
    'google-denied': {
      title: 'No se ha concedido el acceso',
      text: 'Empiece de nuevo con una cuenta de administrador y permita el acceso en la página de Google. Si su organización restringe las aplicaciones, marque antes esta como de confianza en la consola de administración de Google, en «Controles de API».',
    },
    'google-failed': {
      title: 'No se ha conectado Google Workspace',
      text: 'No ha cambiado nada. Empiece de nuevo y deje seleccionados todos los permisos en la página de Google. Si no funciona, envíe el motivo a la persona que le dio el enlace:',
    },
  },
  switchLanguage: 'Idioma',
  switchScheme: { light: 'Usar el aspecto claro', dark: 'Usar el aspecto oscuro' },
  copy: (label) => `Copiar: ${label}`,
  copyShort: 'Copiar',
  copied: 'Copiado',
  requestId: (id) => `Solicitud ${id}`,
  choose: {
    heading: '¿Qué proveedor de identidad utiliza?',
    other: 'Otro proveedor con SCIM 2.0',
    change: 'Elegir otro proveedor',
    changeText:
      'La dirección y el token que ve ahora dejarán de funcionar. Solo es posible mientras no haya llegado ningún usuario.',
    cancel: 'Cancelar',
    none: 'Con este enlace todavía no se puede conectar ningún proveedor de identidad. Consulte a la persona que se lo envió.',
  },
  values: {
    heading: 'Valores para copiar',
    endpoint: 'URL base',
    secret: 'Token',
    shownOnce: 'Copie el token ahora: solo se muestra en esta pestaña, hasta que la cierre.',
    done: 'He guardado el token',
    hidden: (ending) => `El token se mostró al crearlo; termina en «${ending}». Cree uno nuevo si no lo tiene.`,
    rotate: 'Crear un token nuevo',
    rotateTitle: '¿Crear un token nuevo?',
    rotateText: 'Introduzca después el token nuevo en su proveedor de identidad.',
    keepOld: 'El token actual sigue siendo válido durante un día',
    stopOld: 'El token actual deja de ser válido de inmediato',
  },
  signIn: {
    heading: 'Cómo inicia sesión Entra ID',
    ways: {
      token: { name: 'Token', about: 'Un token que se envía con cada solicitud hasta que lo sustituya.' },
      secret: {
        name: 'Credenciales de cliente (OAuth 2.0)',
        about: 'Un secreto que caduca se cambia por tokens de acceso de pocas horas.',
      },
      federated: {
        name: 'Federación de identidades de carga de trabajo',
        about: 'Sin ningún secreto: Entra ID se identifica con su propia firma. Recomendado.',
      },
    },
    onlyOAuth: 'El token ya no se acepta para esta conexión.',
    create: 'Crear credenciales de cliente',
    createAnother: 'Crear otras credenciales de cliente',
    noSecret: 'Cree primero las credenciales de cliente. Su secreto se muestra una sola vez.',
    shownOnce: 'Copie el secreto de cliente ahora: solo se muestra en esta pestaña, hasta que la cierre.',
    done: 'He guardado el secreto de cliente',
    hidden: 'El secreto de cliente se mostró al crearlo. Cree otras credenciales de cliente si no lo tiene.',
    paste: 'Valores de Entra ID',
    pasteText:
      'Seleccione en Entra ID una identidad de carga de trabajo, como en los pasos de abajo, y pegue los cuatro valores que muestra.',
    connect: 'Guardar los valores',
    connectAnother: 'Pegar los valores de otra identidad de carga de trabajo',
    problems: {
      issuer:
        'El emisor debe ser https://login.microsoftonline.com/‹id. de inquilino›/v2.0, con el identificador de su inquilino de Entra.',
      jwks_url:
        'La URL de JWKS debe ser del mismo inquilino: https://login.microsoftonline.com/‹id. de inquilino›/discovery/v2.0/keys.',
      subject: 'El sujeto debe ser un identificador de objeto, como 00000000-0000-0000-0000-000000000000.',
      audience: 'La audiencia debe ser api://‹id. de aplicación›/.default, o el identificador de la aplicación.',
    },
    clients: 'Credenciales de esta conexión',
    expires: (date) => `caducan el ${date}`,
    expired: (date) => `caducaron el ${date}`,
    used: (when) => `usadas por última vez ${when}`,
    unused: 'sin usar todavía',
    remove: (clientId) => `Eliminar las credenciales ${clientId}`,
    removeShort: 'Eliminar',
    removeTitle: '¿Eliminar estas credenciales?',
    removeText:
      'El acceso termina de inmediato. Si Entra ID aún las usa, el aprovisionamiento se detiene hasta que introduzca otras.',
  },
  steps: {
    heading: 'Pasos',
    variants: {
      standard: 'Aplicación',
      'private-app': 'Su propia aplicación',
      'catalog-app': 'Desde el catálogo',
    },
    console: (provider) => `Abrir la consola de administración de ${provider}`,
    help: 'Instrucciones del proveedor',
    drawing: (title) => `Dibujo del formulario «${title}» con los campos que se deben rellenar`,
    turnOn: 'activado',
    turnOff: 'desactivado',
    toCopy: 'copiar en esta página',
    testEmail: 'una dirección que no tenga ningún usuario',
    clickPath: 'Dónde hacer clic',
    texts: {
      createApp: () => 'En la consola de administración, cree una aplicación para sus usuarios.',
      addCatalogApp: (product) => `Busque ${product} en el catálogo y añada la aplicación.`,
      enableScim: () => 'Active el aprovisionamiento SCIM de la aplicación.',
      enterConnection: () => 'Introduzca la dirección y el token y pruebe la conexión.',
      saveConnection: () => 'Guarde cuando la prueba haya tenido éxito.',
      enableActions: () => 'Permita crear, modificar y desactivar usuarios.',
      checkMappings: () => 'Compruebe que se envían los atributos que figuran más abajo.',
      assign: () => 'Asigne los usuarios o grupos que deban tener acceso. Solo se envían esos.',
      oktaLicense: () =>
        'El aprovisionamiento requiere Okta Lifecycle Management. Si Okta no ofrece SCIM en la configuración de la aplicación indicada más abajo, su plan no lo incluye: consulte a su contacto en Okta.',
      oktaCreate: (product) =>
        `Cree una aplicación con SAML 2.0: con OpenID Connect, Okta no ofrece SCIM. Si sus usuarios ya inician sesión en ${product} con SAML, use esa aplicación y continúe donde se activa SCIM.`,
      oktaGeneral: () => 'Ponga nombre a la aplicación. Si solo sirve para el aprovisionamiento, oculte su icono.',
      oktaSaml: () =>
        'Okta pregunta primero por el inicio de sesión único. Si solo quiere el aprovisionamiento, introduzca la URL base en ambos campos: nadie inicia sesión con ella.',
      oktaFinish: () => 'La última página solo pide una opinión: finalícela.',
      oktaSave: () =>
        'Guarde cuando la prueba haya tenido éxito. Los ajustes del paso siguiente solo aparecen entonces.',
      oktaPushGroups: () =>
        'Elija los grupos que deban aparecer con sus miembros. Asigne también a los miembros: solo se envían los usuarios asignados.',
      entraCreate: () =>
        'En el centro de administración de Microsoft Entra, cree una aplicación que no sea de la galería.',
      entraClientCredentials: () =>
        'Introduzca la dirección, el punto de conexión de token y las credenciales de cliente, y pruebe la conexión.',
      entraWorkloadIdentity: () =>
        'Elija la federación de identidades de carga de trabajo y seleccione una identidad. Copie los cuatro valores que aparecen en el formulario de arriba y guárdelos.',
      entraFederation: () =>
        'Introduzca el identificador de cliente, el punto de conexión de token y la dirección, y pruebe la conexión.',
      entraConfiguration: () => 'Cree la configuración cuando la prueba haya tenido éxito.',
      entraAssign: () =>
        'Asigne los usuarios o grupos que deban tener acceso. Solo se envían esos y, de un grupo, solo sus miembros directos. Asignar grupos requiere Microsoft Entra ID P1.',
      entraStart: () =>
        'Inicie el aprovisionamiento. El primer ciclo puede durar hasta 40 minutos; los cambios posteriores llegan antes.',
      oneloginProvisioning: () =>
        'Active el aprovisionamiento y desactive las aprobaciones: de lo contrario, cada cambio espera a que un administrador lo apruebe.',
      oneloginGroups: () => 'Haga que se envíen los grupos con los usuarios.',
      oneloginRules: () =>
        'Añada una regla que determine los grupos de los usuarios, por ejemplo uno por cada uno de sus roles.',
      oneloginReapply: () => 'Aplique las reglas a los usuarios que ya estaban asignados.',
      jumpcloudConnection: () =>
        'Introduzca la dirección, el token y una dirección de correo que no tenga ningún usuario: JumpCloud crea con ella un usuario de prueba.',
      jumpcloudActivate: () =>
        'Active la conexión cuando la prueba haya tenido éxito. Se crean un usuario y un grupo de prueba, que después se eliminan.',
      jumpcloudGroups: () => 'Active los grupos si quiere enviarlos y guarde.',
      createRule: () => 'Cree una regla que determine qué usuarios y grupos se envían y actívela.',
      ripplingInstall: () => 'Instale la integración e introduzca el token.',
      roleMappings: () => 'Añada los roles cuyos miembros deban enviarse.',
      startSync: () => 'Inicie la primera sincronización.',
      googleAdministrator: () =>
        'Necesita una cuenta de administrador que pueda leer todos los usuarios y grupos, como la de un superadministrador de su Google Workspace.',
      googleAllow: (product) =>
        `Si su organización restringe qué aplicaciones pueden acceder a sus datos, permita primero ${product} en la consola de administración de Google.`,
      googleConsent: () =>
        'Conéctese más abajo. Google le pide permiso para leer usuarios y grupos; nunca se modifica nada. Concédalo por completo.',
      googleFirstSync: () =>
        'La primera sincronización empieza en cuanto Google Workspace está conectado. Los directorios grandes tardan unos minutos.',
      genericConnection: () => 'Introduzca la dirección y el token en los ajustes SCIM de su proveedor de identidad.',
      genericMappings: () => 'Envíe al menos userName y active; los demás atributos de más abajo son opcionales.',
      genericActions: () => 'Active la creación, modificación y desactivación de usuarios, y el envío de grupos.',
      genericAssign: () => 'Asigne los usuarios o grupos que deban tener acceso.',
    },
    labels: {
      'Enterprise apps': 'Aplicaciones empresariales',
      'New application': 'Nueva aplicación',
      'Create your own application': 'Crear su propia aplicación',
      Create: 'Crear',
      Provisioning: 'Aprovisionamiento',
      'New configuration': 'Nueva configuración',
      'Tenant URL': 'URL de inquilino',
      'Secret token': 'Token secreto',
      'Token endpoint': 'Punto de conexión de token',
      'Client identifier': 'Identificador de cliente',
      'Client secret': 'Secreto de cliente',
      'Test connection': 'Probar conexión',
      'Attribute mapping': 'Asignación de atributos',
      'Users and groups': 'Usuarios y grupos',
      'Add user/group': 'Agregar usuario o grupo',
      Assign: 'Asignar',
      Overview: 'Información general',
      'Start provisioning': 'Iniciar aprovisionamiento',
    },
  },
  google: {
    connect: 'Conectar Google Workspace',
    reconnect: 'Volver a conectar',
    connected: 'Google Workspace está conectado.',
    again: (reason) => `Hay que volver a conectar Google Workspace: ${reason}`,
    pending: (reason) => `${reason} La persona que le envió este enlace debe aprobarlo.`,
    notConfigured: (product) =>
      `${product} todavía no puede conectar Google Workspace desde esta página. Consulte a la persona que le envió este enlace.`,
    repeats: 'La sincronización se repite automáticamente.',
    notScheduled: (product) => `La sincronización no se repite automáticamente: la inicia ${product}.`,
    scope:
      'Se sincronizan todos los usuarios de Google Workspace, salvo que elija aquí grupos o unidades organizativas. Se incluyen los miembros de grupos anidados y las unidades inferiores.',
    groups: 'Grupos (direcciones o identificadores)',
    units: 'Unidades organizativas (rutas)',
    saveScope: 'Guardar la selección',
  },
  attributes: {
    heading: 'Asignación de atributos',
    source: 'Origen en su proveedor',
    attribute: 'Atributo SCIM',
    meaning: 'Significado',
    required: 'obligatorio',
    automatic: 'se establece automáticamente',
    meanings: {
      userName: 'El nombre que identifica al usuario, normalmente su dirección de correo',
      'name.givenName': 'Nombre',
      'name.familyName': 'Apellidos',
      'emails[type eq "work"].value': 'Dirección de correo; si falta, se usa el userName',
      active: 'Si el usuario tiene acceso',
      displayName: 'Nombre completo',
      externalId: 'El identificador del usuario en su proveedor de identidad',
      title: 'Puesto',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Departamento',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'Número de empleado',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager': 'Responsable',
    },
  },
  health: {
    heading: 'Lo que ha llegado',
    complete: 'Todo funciona. Puede cerrar esta página; el mismo enlace muestra el estado de la conexión.',
    progress: (done, all) => `${done} de ${all} observados`,
    states: {
      waiting: 'A la espera de la primera solicitud',
      healthy: 'Funciona',
      attention: 'Requiere atención',
      failing: 'No funciona',
    },
    lastSync: (when) => `Última sincronización: ${when}.`,
    syncFailed: (when) =>
      `La última sincronización falló (${when}). Si continúa así, consulte a la persona que le envió este enlace.`,
    waitingForSync: 'A la espera de la primera sincronización',
    lastRequest: (when) => `Última solicitud de su proveedor de identidad: ${when}.`,
    never: 'Todavía no ha llegado nada de su proveedor de identidad.',
    deactivated: 'Esta conexión está desactivada. Consulte a la persona que le envió este enlace.',
    seen: (when) => `observado ${when}`,
    missing: 'aún no observado',
    alsoSeen: 'También observado',
    signedIn: {
      name: 'Sesión iniciada',
      hint: 'Introduzca los valores en su proveedor de identidad y use su botón de prueba.',
    },
    behaviors: {
      connection_tested: {
        name: 'Conexión probada',
        hint: 'Use el botón de prueba de su proveedor de identidad.',
      },
      user_created: { name: 'Usuario creado', hint: 'Asigne un usuario a la aplicación.' },
      user_updated: { name: 'Usuario modificado', hint: 'Cambie el nombre o el puesto de un usuario asignado.' },
      user_deactivated: { name: 'Usuario desactivado', hint: 'Quite la asignación de un usuario de prueba.' },
      user_reactivated: { name: 'Usuario reactivado', hint: 'Vuelva a asignar el usuario de prueba.' },
      user_deleted: {
        name: 'Usuario eliminado',
        hint: 'Algunos proveedores nunca eliminan usuarios, y es correcto.',
      },
      group_pushed: { name: 'Grupo enviado', hint: 'Envíe un grupo, si quiere usar grupos.' },
      member_added: { name: 'Miembro añadido a un grupo', hint: 'Añada un usuario asignado a un grupo enviado.' },
      member_removed: { name: 'Miembro quitado de un grupo', hint: 'Quite un usuario de un grupo enviado.' },
    },
    readHints: {
      user_created: 'Los usuarios aparecen con la primera sincronización.',
      user_updated: 'Cambie el nombre o el puesto de un usuario; la próxima sincronización lo lee.',
      user_deactivated: 'Suspenda un usuario de prueba; la próxima sincronización lo lee.',
      group_pushed: 'Los grupos aparecen con la primera sincronización.',
    },
  },
  roles: {
    heading: 'Roles',
    lead: (product) =>
      `Elija qué rol tienen en ${product} los miembros de cada grupo. Solo lo obtienen los miembros directos.`,
    jump: 'Roles para sus grupos',
    waiting: 'Sus grupos aparecen aquí después de la primera sincronización.',
    search: 'Buscar un grupo',
    notFound: 'Ningún grupo tiene ese nombre.',
    more: 'Mostrar más grupos',
    members: (count) => (count === 1 ? '1 miembro' : `${count.toLocaleString('es')} miembros`),
    none: 'Ningún rol',
    roleOf: (group) => `Rol de ${group}`,
    fixed: (product) => `${product} ha fijado este rol. No se puede cambiar con este enlace.`,
    preview: 'Qué cambia',
    gain: (count, role, people) =>
      `${count === 1 ? '1 persona obtiene' : `${count.toLocaleString('es')} personas obtienen`} «${role}»: ${people}.`,
    lose: (count, role, people) =>
      `${count === 1 ? '1 persona pierde' : `${count.toLocaleString('es')} personas pierden`} «${role}»: ${people}.`,
    others: (count) => `${count.toLocaleString('es')} más`,
    nobodyInGroup: 'Todavía no hay nadie en este grupo. Quien se incorpore tendrá el rol desde entonces.',
    nobodyChanges: 'Por ahora no cambian los roles de nadie.',
    tooFew: (role, product) =>
      `Después tendrían «${role}» menos personas de las que exige ${product}. En ese caso, ${product} no recibiría ningún otro cambio de su directorio hasta que alguien allí aprobara este.`,
    apply: 'Aplicar',
    running: (done, all) =>
      `Se están cambiando los roles: ${done.toLocaleString('es')} de ${all.toLocaleString('es')} personas comprobadas`,
    done: (count) =>
      count === 0
        ? 'Listo. No ha sido necesario cambiar los roles de nadie.'
        : `Listo. Han cambiado los roles de ${count === 1 ? '1 persona' : `${count.toLocaleString('es')} personas`}.`,
  },
  refused: {
    heading: 'La última solicitud rechazada',
    about: (subject) => `Se refería a ${subject}.`,
    unauthorized: (when) =>
      `Su proveedor de identidad usó un token incorrecto, la última vez el ${when}. Cree un token nuevo e introdúzcalo en el proveedor.`,
    notSignedIn: (when) =>
      `Su proveedor de identidad no pudo iniciar sesión, la última vez ${when}. Compare los valores de ambos lados. El motivo:`,
    outsideDomain:
      'La dirección de este usuario no pertenece a ningún dominio que el producto acepte de su empresa; los detalles los indican. Use una dirección de uno de ellos. Si el otro dominio también es suyo, pida a la persona que le envió este enlace que lo añada.',
    reasons: {
      uniqueness:
        'Ya existe un usuario con este nombre. Dé otro userName a uno de los dos o quite el otro de la aplicación.',
      invalidValue: 'Un atributo tiene un valor no permitido. Revise la asignación de atributos.',
      invalidSyntax: 'La solicitud no es SCIM válido. Elija SCIM 2.0 en su proveedor de identidad.',
      invalidPath: 'Un atributo está asignado a un nombre que no existe. Revise la asignación de atributos.',
      invalidFilter: 'El proveedor busca de una forma no admitida. Haga que relacione los usuarios por userName.',
      noTarget: 'El proveedor cambia un valor que no existe. Haga que vuelva a enviar el usuario completo.',
      mutability:
        'El proveedor intenta cambiar algo que no se puede cambiar, como un identificador. Revise la asignación de atributos.',
      tooMany: 'El proveedor pide demasiado a la vez. Haga que relacione los usuarios por userName.',
    },
    statuses: {
      403: 'Esta conexión está desactivada. Consulte a la persona que le envió este enlace.',
      404: 'El proveedor cambia un usuario o grupo que no existe aquí. Haga que vuelva a enviar todos los usuarios.',
      409: 'Ya existe. Dé otro nombre a uno de los dos.',
      412: 'El proveedor cambió una versión anticuada. Repite el cambio automáticamente.',
      413: 'La solicitud es demasiado grande. Envíe los grupos grandes en partes más pequeñas.',
      429: 'El proveedor envía solicitudes demasiado rápido. Repite la solicitud automáticamente.',
    },
    other:
      'No se ha podido procesar la solicitud del proveedor. El registro del proveedor muestra cuándo volverá a intentarlo.',
    settle: 'Ya está resuelto: ocultar',
    detail: 'Respuesta al proveedor',
  },
}
